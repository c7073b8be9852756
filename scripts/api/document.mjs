// The reference of a package as Markdown: a section for each exported name, with its docstring and its declaration.
import { format } from 'prettier'
import { ownerOf } from './names.mjs'

/** @typedef {import('./surface.mjs').Name} Name */

/** @param {string} name of the package @param {import('./surface.mjs').Surface} surface @param {import('prettier').Options} style */
export function documentOf(name, { doc, names }, style) {
  const all = new Set(names.map((entry) => entry.name))
  const sections = names
    .filter((entry) => ownerOf(entry.name, all) === undefined)
    .map((entry) => section(entry, typesOf(entry.name, names, all)))
  return format([`# ${name}`, doc, ...sections].join('\n\n'), { ...style, parser: 'markdown' })
}

/** The page that leads to the references. @param {readonly { name: string, description: string, file: string }[]} packages
 * @param {import('prettier').Options} style */
export function indexOf(packages, style) {
  const rows = packages.map(({ name, description, file }) => `| [${name}](${file}) | ${description} |`)
  return format([INTRODUCTION, '| package | what it is |', '| --- | --- |', ...rows].join('\n'), {
    ...style,
    parser: 'markdown',
  })
}

const INTRODUCTION = `# Reference of the packages

What each package exports: every name with its docstring and its declaration, in alphabetical order. The types of a function stand with
it: \`createFolder\` with \`CreateFolderDeps\`, \`CreateFolderInput\` and \`CreateFolderError\`. \`npm run write api\` writes these files from
the sources.
`

/** @param {string} owner @param {readonly Name[]} names @param {ReadonlySet<string>} all */
function typesOf(owner, names, all) {
  return names.filter(({ name }) => ownerOf(name, all) === owner)
}

/** @param {Name} entry @param {readonly Name[]} types */
function section({ name, doc, text }, types) {
  const code = [text, ...types.map((type) => withDoc(type))].join('\n\n')
  return [`## ${name}`, doc, `\`\`\`ts\n${code}\n\`\`\``].join('\n\n')
}

/** @param {Name} type */
function withDoc({ doc, text }) {
  return doc === '' ? text : `/** ${doc} */\n${text}`
}
