# Prints as many aliases as the first argument says, each within the next. The
# second argument says how one is written: its number, that of the one within.
import sys

count = int(sys.argv[1])
pattern = sys.argv[2] if len(sys.argv) > 2 else "#a{} = [#a{}]"
pattern = pattern.replace("\\n", "\n")
first = pattern.split("=")[0].strip().format(0)
print(first + " = " + ("loc(unknown)" if "loc" in pattern else "i32"))
for number in range(1, count + 1):
    print(pattern.format(number, number - 1))
print("module {}")
