// What stands in the way of a release, as sentences.

/** @typedef {import('../api.mjs').Manifest} Manifest */

/** @param {{ version: string, manifests: readonly Manifest[], changelog: string, gitStatus: string }} checkout `version` is that of the
 * checkout, `manifests` are those of the checkout and its public packages, `gitStatus` is the output of `git status --porcelain`
 * @returns {string[]} */
export function refusalsOf({ version, manifests, changelog, gitStatus }) {
  const others = manifests.filter((manifest) => manifest.version !== version)
  const placeholders = manifests.filter((manifest) => isPlaceholder(manifest.repository?.url ?? ''))
  return [
    ...(gitStatus.trim() === '' ? [] : ['The work tree has changes: commit them first']),
    ...others.map((other) => `${other.name} has version ${other.version}, the checkout ${version}`),
    ...(sectionOf(changelog, version) ? [] : [`CHANGELOG.md says nothing under ## ${version}`]),
    ...(placeholders.length === 0
      ? []
      : [`No real repository is named (npm run write repository -- https://…): ${namesOf(placeholders)}`]),
  ]
}

/** @param {string} url */
function isPlaceholder(url) {
  return (
    !URL.canParse(url) ||
    /(?:^|\.)example\.(?:org|com|net)$/.test(new URL(url.replace(/^git\+/, '')).hostname)
  )
}

/** @param {readonly Manifest[]} manifests */
function namesOf(manifests) {
  return manifests.map(({ name }) => name).join(', ')
}

/** The text below a heading of the changelog, which is a version; a date may follow it.
 * @param {string} changelog @param {string} version */
function sectionOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const found = sections.find((section) => /^\S*/.exec(section)?.[0] === version)
  return found?.replace(/^.*\n?/, '').trim()
}
