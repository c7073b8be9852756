#!/bin/sh
# Builds the image sotto with buildah, without a base image: sh deploy/container/build.sh [NAME]
# It takes the last stage of the Containerfile and gives it the files that the first one would make. BUILDAH may hold options, such as
# BUILDAH="buildah --root /var/tmp/images".
set -eu
cd "$(dirname "$0")/../.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm run --silent bundle -- --image "$place/image"
sed '1,/^FROM scratch$/{/^FROM scratch$/!d}; s/--from=build //' deploy/container/Containerfile > "$place/Containerfile"
${BUILDAH:-buildah} bud --format docker --layers=false -f "$place/Containerfile" -t "${1:-sotto}" "$place"
