// The names that belong to a function: what it takes and how it fails is part of its description.

/** @typedef {import('./surface.mjs').Name} Name */

/** The function of the same package whose types a name is one of: `createFolder` of `CreateFolderDeps`, `CreateFolderInput` and
 * `CreateFolderError`. @param {string} name @param {ReadonlySet<string>} names all of the package */
export function ownerOf(name, names) {
  const [, stem] = /^([A-Z]\w*)(?:Deps|Input|Error)$/.exec(name) ?? []
  const owner = stem === undefined ? '' : `${stem.slice(0, 1).toLowerCase()}${stem.slice(1)}`
  return names.has(owner) ? owner : undefined
}

/** What of a package lacks a docstring. The types of a function need none of their own.
 * @param {readonly Name[]} names */
export function undocumentedIn(names) {
  const all = new Set(names.map(({ name }) => name))
  return names.flatMap(({ undocumented }) =>
    undocumented.filter((path) => path.includes('.') || ownerOf(path, all) === undefined),
  )
}
