"""Types read from mangled names, against the source that the compiler mangled."""

import pytest

from tests.objects.compiled import linked
from wavemma.machine.arguments.mangled import parameters
from wavemma.objects import code_object

SOURCE = """
#define __global__ __attribute__((global))
struct Pair { int a; float b; };
enum Colour : short { RED };
template <class T> struct Box { T held; };
typedef float float4 __attribute__((ext_vector_type(4)));
typedef int (*Function)(int, const char*);
__global__ void numbers(bool, char, signed char, unsigned char, short, unsigned short, int,
    unsigned, long, unsigned long, long long, unsigned long long, float, double,
    _Float16, __bf16) {}
__global__ void pointers(float*, const float*, const volatile int* const*, Pair*, Box<int>*, void*,
    __attribute__((address_space(1))) float*, Function, int (*)[3], decltype(nullptr)) {}
__global__ void structures(Pair, Box<float>, int, float4, Colour, Pair, const int) {}
__global__ void nothing() {}
static __global__ void hidden(double, int) {}
namespace outer { namespace { __global__ void inner(int, float*) {} }
  struct Own {}; __global__ void named(Own, unsigned, Own*) {} }
template <class T, int N, class U> __global__ void made(T*, T, U, int, Box<U>, T, T*, const U) {}
template __global__ void made<float, -3, _Float16>(float*, float, _Float16, int, Box<_Float16>,
    float, float*, _Float16);
template <bool B> __global__ void flagged(unsigned) {}
template __global__ void flagged<true>(unsigned);
template <class... Ts> __global__ void several(Ts...) {}
template __global__ void several<int, float>(int, float);
namespace outer { namespace mid { template <class A, class B> struct Two { A a; B b; };
  template <class T, class U> __global__ void deep(Two<T, U>*, T, Two<U, T>, Two<U, T>, const T, U,
    const T*, T) {} } }
template __global__ void outer::mid::deep<double, short>(outer::mid::Two<double, short>*, double,
    outer::mid::Two<short, double>, outer::mid::Two<short, double>, double, short, const double*,
    double);
template <class T> __global__ void repeated(Box<Box<T>>, Box<T>*, Box<T>, Box<Box<T>>*, outer::Own,
    T, outer::Own*) {}
template __global__ void repeated<float>(Box<Box<float>>, Box<float>*, Box<float>, Box<Box<float>>*,
    outer::Own, float, outer::Own*);
extern "C" __global__ void plain(int) {}
__global__ void keep() {
  asm volatile("; %0" :: "s"(&hidden));
  asm volatile("; %0" :: "s"(&outer::inner));
}
"""
WORDS = {
    "numbers": (
        "bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int",
        "unsigned int", "long", "unsigned long", "long long", "unsigned long long", "float",
        "double", "_Float16", "__bf16",
    ),
    "pointers": ("*",) * 10,
    "structures": (None, None, "int", None, None, None, "int"),
    "nothing": (),
    "named": (None, "unsigned int", "*"),
    "flagged": ("unsigned int",),
    "made": ("*", "float", "_Float16", "int", None, "float", "*", "_Float16"),
    "several": None,
    "deep": ("*", "double", None, None, "double", "short", "*", "double"),
    "repeated": (None, "*", None, "*", None, "float", "*"),
    "plain": None,
}  # fmt: skip


@pytest.fixture(scope="module")
def names() -> list[str]:
    return list(code_object(linked("gfx1100", "-O0", source=SOURCE)).kernels)


@pytest.mark.parametrize("name", WORDS)
def test_the_types_of_the_source(names: list[str], name: str) -> None:
    (own,) = (each for each in names if name in each)
    assert parameters(own) == WORDS[name]


@pytest.mark.parametrize("name", ["hidden", "inner"])
def test_names_that_are_private(name: str) -> None:
    given = {
        "hidden": ("_ZL6hiddendi", ("double", "int")),
        "inner": ("_ZN5outer12_GLOBAL__N_15innerEiPf", ("int", "*")),
    }[name]
    assert parameters(given[0]) == given[1]
    assert parameters(given[0] + ".static.0123") == given[1]


@pytest.mark.parametrize(
    "name",
    ["", "main", "_Z", "_Z9", "_Z3ab", "_Z1kT_", "_ZN1k", "_Z1kQ", "_Z1kDq", "_Z" + "P" * 9999],
)
def test_what_it_cannot_read_is_not_known(name: str) -> None:
    assert parameters(name) is None


def test_no_cut_name_is_read_with_an_error(names: list[str]) -> None:
    for name in names:
        for end in range(len(name)):
            parameters(name[:end])
            parameters(name[:end] + "\u00e9" + name[end:])
