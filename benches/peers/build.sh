#!/usr/bin/env bash
# Builds the CUB peer beside its sources (`peers/cub/cub`), with nvcc from $NVCC or the PATH.
#
#   CCCL=DIR    headers of another CCCL than the toolkit's (the folder that holds cub/), such as
#               .../nvidia/cu13/include/cccl of the package nvidia-cuda-cccl
#   ARCH=sm_90  the architecture; default: that of the GPU found, else sm_90
set -euo pipefail
cd "$(dirname "$0")/cub"
nvcc="${NVCC:-nvcc}"
arch="${ARCH:-}"
if [ -z "$arch" ]; then
    capability="$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)" || true
    arch="sm_${capability:-90}"
fi
flags=(-std=c++17 -O3 "-arch=$arch")
[ -n "${CCCL:-}" ] && flags+=(-I "$CCCL")
objects="$(mktemp -d)"
trap 'rm -rf "$objects"' EXIT
# One compiler a file: each takes half a minute.
pids=()
for file in *.cu; do
    "$nvcc" "${flags[@]}" -c "$file" -o "$objects/${file%.cu}.o" &
    pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done
# Where the toolkit came as a package, its libraries are not where nvcc looks.
libraries=()
beside="$(dirname "$(command -v "$nvcc")")/../lib"
[ -e "$beside/libcudart_static.a" ] && libraries+=(-L "$beside")
"$nvcc" "-arch=$arch" ${libraries[@]+"${libraries[@]}"} "$objects"/*.o -o cub
strip cub 2>/dev/null || true
