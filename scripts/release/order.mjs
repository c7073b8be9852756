// The order in which packages are published: each after those of the release that an installation of it needs.

/** @typedef {import('../api.mjs').Manifest} Manifest */

/** @template {{ manifest: Manifest }} P @param {readonly P[]} packages @returns {P[]} */
export function inDependencyOrder(packages) {
  /** @type {P[]} */
  const ordered = []
  while (ordered.length < packages.length) {
    const left = packages.filter((each) => !ordered.includes(each))
    const names = new Set(left.map(({ manifest }) => manifest.name))
    const next = left.filter(({ manifest }) => needsOf(manifest).every((name) => !names.has(name)))
    if (next.length === 0) throw new Error(`These packages depend on each other: ${[...names].join(', ')}`)
    ordered.push(...next)
  }
  return ordered
}

/** What an installation brings, so without `devDependencies`. @param {Manifest} manifest */
function needsOf({ dependencies, optionalDependencies, peerDependencies }) {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
}
