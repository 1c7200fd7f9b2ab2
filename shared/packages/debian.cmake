# SPDX-License-Identifier: MIT
# The Debian packages; README.md says how they are made.
if(NOT DEADFALL_PACKAGE)
  return()
endif()
if(NOT BUILD_TESTING)
  add_subdirectory(tests/tools) # deadfall-scenario
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_VENDOR "the Deadfall authors")
set(CPACK_PACKAGE_CONTACT "The Deadfall authors <deadfall@packages.debian.org>")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL client server directory tools data physics physics_runtime)
if(DEADFALL_PAGE)
  list(APPEND CPACK_COMPONENTS_ALL page)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(debian_folder ${CMAKE_CURRENT_SOURCE_DIR}/shared/packages/debian)
set(service_scripts conffiles postinst prerm postrm)
set(version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

# debian_package(COMPONENT NAME SUMMARY DESCRIPTION): its fields, licence and changelog.
function(debian_package component name summary description)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
  set(folder ${CMAKE_BINARY_DIR}/debian/${name})
  configure_file(${debian_folder}/changelog.in ${folder}/changelog.Debian @ONLY)
  execute_process(COMMAND gzip -9nkf ${folder}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${folder}/changelog.Debian.gz ${debian_folder}/copyright
          DESTINATION share/doc/${name} COMPONENT ${component})
endfunction()

debian_package(client deadfall "networked arena among moving solids"
  "Up to 256 players run, jump, dash, shoot arrows, stomp and ride lifts, and try
not to get squished. The server decides everything; every client predicts the
whole match with the same integer code, so you see the present.
This package contains the game itself, in a window.")
set(CPACK_DEBIAN_CLIENT_PACKAGE_DEPENDS "deadfall-data (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_CLIENT_PACKAGE_RECOMMENDS deadfall-server)
set(CPACK_DEBIAN_CLIENT_PACKAGE_SUGGESTS ffmpeg) # for clips of replays

debian_package(server deadfall-server "game server of Deadfall"
  "Hosts matches of Deadfall, a networked arena among moving solids, without a
window: as a service on this machine, or in a container. It continues its match
after a crash, and reports to server browsers and to Prometheus.")
set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS "deadfall-data (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_SERVER_PACKAGE_SUGGESTS deadfall-directory)

debian_package(directory deadfall-directory "list of Deadfall servers on the internet"
  "Lists the servers of Deadfall, a networked arena among moving solids, that
announce themselves and can be reached. Players find servers in the list, and
it introduces them to servers behind routers. Many of them share a list through
a Redis.")
set(CPACK_DEBIAN_DIRECTORY_PACKAGE_SUGGESTS "deadfall-server, redis-server")

foreach(component server directory)
  string(TOUPPER ${component} key)
  list(TRANSFORM service_scripts PREPEND ${debian_folder}/${component}/ OUTPUT_VARIABLE CPACK_DEBIAN_${key}_PACKAGE_CONTROL_EXTRA)
endforeach()

debian_package(tools deadfall-tools "tools for Deadfall: load test, replays, maps"
  "A load tester, a replay checker, a checker for maps made in Tiled, and a
runner for physics scenarios. They belong to Deadfall, a networked arena among
moving solids.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "deadfall-server, tiled")

debian_package(data deadfall-data "maps of Deadfall"
  "The maps of Deadfall, a networked arena among moving solids. The game and the
server need them. The tiles are included, to change the maps in Tiled.")
set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DATA_PACKAGE_SHLIBDEPS OFF)

if(DEADFALL_PAGE)
  debian_package(page deadfall-page "page of Deadfall for browsers"
    "The game Deadfall, a networked arena among moving solids, as a page for web
browsers. deadfall-server serves it with the option page, and any web server can.")
  set(CPACK_DEBIAN_PAGE_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PAGE_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_PAGE_PACKAGE_ENHANCES deadfall-server)
endif()

# A program that is linked with the shared library depends on the package of the same soname.
debian_package(physics_runtime libdeadfall-physics0.1 "exact integer platformer physics (shared library)"
  "A library for platformer physics that uses only integers: tiles, solids that
carry and push, one-way platforms, actors and balls. The result is the same on
every machine. This package contains the shared library.")
set(CPACK_DEBIAN_PHYSICS_RUNTIME_PACKAGE_SECTION libs)
# Where cpack looks into a shared library, it adds scripts that call ldconfig; Debian has a trigger for that.
set(CPACK_DEBIAN_PHYSICS_RUNTIME_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PHYSICS_RUNTIME_PACKAGE_DEPENDS "libc6 (>= 2.14)") # memcpy
file(WRITE ${CMAKE_BINARY_DIR}/debian/shlibs
     "libdeadfall_physics 0.1 libdeadfall-physics0.1 (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_PHYSICS_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/debian/shlibs ${debian_folder}/physics/triggers)

debian_package(physics libdeadfall-physics-dev "exact integer platformer physics"
  "A library for platformer physics that uses only integers: tiles, solids that
carry and push, one-way platforms, actors and balls. The result is the same on
every machine. This package contains the header files, the static library, and
its files for CMake and pkg-config.")
set(CPACK_DEBIAN_PHYSICS_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PHYSICS_PACKAGE_DEPENDS "libdeadfall-physics0.1 (= ${version})")
set(CPACK_DEBIAN_PHYSICS_PACKAGE_SHLIBDEPS OFF)

include(CPack)
