# SPDX-License-Identifier: MIT
# How every build is hardened, whatever the preset or the distribution: programs that strangers talk to are worth more
# than the last percent. tests/system/hardening_test.py looks for each of these in the programs. Include it before the
# targets. A build with a sanitizer is not hardened, because it should stop at a fault and not survive it.
#
# Two rooms have less, because a step of the world is all they do: locals are not zeroed in shared/physics and shared/game,
# and shared/physics, which has no buffer that a stranger's bytes fill, has no canaries. docs/security.md says why.
# Neither is one for browsers: they have walls of their own, and wasm has neither return addresses nor pages.
if(CMAKE_C_FLAGS MATCHES "-fsanitize" OR EMSCRIPTEN)
  return()
endif()

include(CheckCCompilerFlag)
set(DEADFALL_HARDENING "")
set(CMAKE_REQUIRED_FLAGS -Werror) # clang only warns of a flag for another machine
set(DEADFALL_HOT_GAME "")
if(NOT WIN32) # there each page of a stack is touched in order anyway
  set(stack_clash -fstack-clash-protection)
endif()
foreach(flag -fstack-protector-strong ${stack_clash}
             -fcf-protection=full            # x86
             -mbranch-protection=standard    # arm64
             -ftrivial-auto-var-init=zero
             # clang before 16 asks for this as well
             "-ftrivial-auto-var-init=zero -enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang")
  string(MAKE_C_IDENTIFIER "HAS${flag}" has)
  check_c_compiler_flag("${flag}" ${has})
  if(${has} AND NOT DEADFALL_HARDENING MATCHES "auto-var-init")
    string(REPLACE " " ";" flags "${flag}")
    list(APPEND DEADFALL_HARDENING ${flags})
    if(flag MATCHES "auto-var-init")
      set(DEADFALL_HOT_GAME -ftrivial-auto-var-init=uninitialized)
    endif()
  endif()
endforeach()
unset(CMAKE_REQUIRED_FLAGS)
set(DEADFALL_HOT_PHYSICS ${DEADFALL_HOT_GAME} -fno-stack-protector)
add_compile_options(${DEADFALL_HARDENING})
# Level 3 also checks sizes that are known only when the program runs. It needs an optimising compiler.
add_compile_options("$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>")
if(WIN32) # its linker has these by default
  return()
endif()
# Programs lie at an address that nobody can foresee. What goes into a shared library has its own flag, -fPIC.
add_compile_options($<$<NOT:$<BOOL:$<TARGET_PROPERTY:POSITION_INDEPENDENT_CODE>>>:-fPIE>)
add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>
                 -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--as-needed)
