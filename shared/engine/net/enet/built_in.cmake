# SPDX-License-Identifier: MIT
# ENet inside the programs: its sources without unix.c and win32.c, so that all it knows of a system is enet_adapter.c.
# The sources are those of the packaged version, from Debian's archive or the same file of Ubuntu's;
# -DFETCHCONTENT_SOURCE_DIR_ENET=FOLDER takes them from a folder.
include(FetchContent)
set(enet_file pool/PLACE/e/enet/enet_1.3.17+ds.orig.tar.xz)
string(REPLACE PLACE main enet_debian ${enet_file})
string(REPLACE PLACE universe enet_ubuntu ${enet_file})
FetchContent_Declare(enet SOURCE_SUBDIR none # only the files
  URL http://deb.debian.org/debian/${enet_debian} http://archive.ubuntu.com/ubuntu/${enet_ubuntu}
  URL_HASH SHA256=d169f7bb6af60eca495a105e133224fa324eb79317a3eb2eefd264fc7dafa39b
  DOWNLOAD_DIR ${PROJECT_SOURCE_DIR}/build/sources)
FetchContent_MakeAvailable(enet)
add_library(deadfall_enet STATIC)
foreach(file callbacks compress host list packet peer protocol)
  target_sources(deadfall_enet PRIVATE ${enet_SOURCE_DIR}/${file}.c)
endforeach()
target_compile_options(deadfall_enet PRIVATE -w "-ffile-prefix-map=${enet_SOURCE_DIR}=enet")
target_include_directories(deadfall_enet SYSTEM PUBLIC ${enet_SOURCE_DIR}/include)
target_compile_definitions(deadfall_net PRIVATE DEADFALL_ENET_BUILT_IN)
target_link_libraries(deadfall_net PRIVATE deadfall_enet)
