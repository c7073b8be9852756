import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readVectors } from './support/read-vectors.ts'

t.test(
  'the program in docs/encryption.md, which has none of our code, opens every note that needs no password',
  async (t) => {
    const document = readFileSync(
      join(import.meta.dirname, '..', '..', '..', 'docs', 'encryption.md'),
      'utf8',
    )
    const [, program = ''] = /```js\n(.*?)```/s.exec(document) ?? []
    const file = join(t.testdir({ 'open.mjs': program }), 'open.mjs')
    const { key, notes } = readVectors()
    const open = (note: string) =>
      spawnSync(process.execPath, [file], { input: `https://host/token#${key}\n${note}\n`, encoding: 'utf8' })
    for (const { text, password, files, note } of notes) {
      const { status, stdout } = open(note)
      if (password !== undefined) t.equal(status, 1, 'with a password its key is another one')
      else t.equal(stdout, `${text}${files === undefined ? '' : `\0${JSON.stringify(files)}`}\n`)
    }
  },
)
