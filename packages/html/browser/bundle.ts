import { fileURLToPath } from 'node:url'
import { build, type BuildOptions } from 'esbuild'

/** The scripts of pages that encrypt or decrypt, by their names in sealed-scripts.ts. Each is made from a file here. */
const scripts: Readonly<Record<string, readonly [file: string, options?: BuildOptions]>> = {
  linkScript: ['link.ts'],
  openedScript: ['opened.ts'],
  openedFilesScript: ['opened-files.ts'],
  secretLinkScript: ['secret-link.ts'],
  // These are long. Whoever wants to read one reads its source.
  sealFormScript: ['seal-form.ts', { minify: true, format: 'iife' }],
  sealedRequestScript: ['request.ts', { minify: true, format: 'iife' }],
  requestFormScript: ['request-form.ts', { minify: true, format: 'iife' }],
  sealedAnswersScript: ['answers.ts', { minify: true, format: 'iife' }],
  // Functions that pages run as the server does. Their own source texts would be others in each build, and so would the digests of scripts.
  sizeTextFunction: ['../src/size-text.ts'],
  suggestedPasswordFunction: ['../../core/src/secrets/suggested-password.ts'],
}

/** The text of src/sealed-scripts.ts: each script with the parts of the format that it uses, as people can read it. */
export async function sealedScripts(): Promise<string> {
  const parts = await Promise.all(
    Object.entries(scripts).map(
      async ([name, [file, options]]) =>
        `\n/** The script that browser/${file} becomes. */\nexport const ${name} = \`\n${escaped(await bundled(file, options))}\`\n`,
    ),
  )
  return `// Written by \`npm run write sealed-scripts\` from packages/html/browser. Do not edit.\n${parts.join('')}`
}

async function bundled(file: string, options?: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    ...{ entryPoints: [fileURLToPath(new URL(file, import.meta.url))], bundle: true, write: false },
    ...{ format: 'esm', target: 'es2022', legalComments: 'none', logLevel: 'error' },
    ...options,
  })
  // Where a part comes from is nothing that a browser needs, nor is a semicolon before a line that begins with a word.
  const text = (outputFiles?.[0]?.text ?? '')
    .replace(/^ *\/\/ .*\n/gm, '')
    .replace(/\nexport \{[^}]*\};\n/, '\n')
  return text.replace(/;\n(?= *[\w}])/g, '\n')
}

function escaped(text: string): string {
  return text.replace(/[\\`]|\$\{/g, '\\$&')
}
