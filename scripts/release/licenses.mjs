// The licenses of what an installation of the packages brings.

/** The licenses that let anybody use, change and pass on the packages, in closed programs too. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
])

/** What `pnpm licenses list --json` prints: packages by the SPDX expression of their license.
 * @typedef {Record<string, readonly { name: string, versions: readonly string[], homepage?: string }[]>} Licenses */

/** The packages whose license is not allowed or not known. @param {Licenses} licenses @returns {string[]} */
export function refusedLicenses(licenses) {
  return Object.entries(licenses).flatMap(([license, packages]) =>
    isAllowed(license)
      ? []
      : packages.map(({ name }) => `${name} has the license ${license}, which is not allowed`),
  )
}

/** A list for people, one package a line. @param {Licenses} licenses */
export function licenseText(licenses) {
  const lines = Object.entries(licenses).flatMap(([license, packages]) =>
    packages.map(({ name, versions, homepage = '' }) =>
      `${name} ${versions.join(', ')}: ${license} ${homepage}`.trimEnd(),
    ),
  )
  return `${lines.toSorted().join('\n')}\n`
}

/**
 * Whether one part of `A OR B`, and both of `A AND B`, are allowed. @param {string} expression an SPDX expression without nested brackets
 */
function isAllowed(expression) {
  const alternatives = expression.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return alternatives.some((alternative) =>
    alternative.split(' AND ').every((license) => ALLOWED.has(license)),
  )
}
