import { readdirSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { openKeyFile } from '@sotto/adapter-node-crypto'
import { leftoversIn } from '@sotto/adapter-sqlite'
import { well, wrong, type Finding } from './finding.ts'

const check = 'data directory'
const ourFiles = /^(?:sotto|quota)\.sqlite(?:-wal|-shm|-journal|\.damaged)?$/

/** Whether the directory of the data and the files in it are for their owner alone, and what does not belong there. */
export function checkDataDirectory(path: string): readonly Finding[] {
  let stats: Stats | undefined
  let names: readonly string[]
  try {
    stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return [well(check, `${path} is not there yet: the first start makes it`)]
    if (!stats.isDirectory()) return [wrong(check, `${path} is no directory: see SOTTO_DATA_DIR`)]
    names = readdirSync(path)
  } catch (error) {
    return [wrong(check, `${path} cannot be read (${codeOf(error)})`)]
  }
  const exposed = names.filter((name) => ourFiles.test(name) && isExposed(join(path, name)))
  const leftovers = leftoversIn(path)
  const findings = [
    ...(isOpenToOthers(stats) ? [wrong(check, `${path} is open to others: chmod 700 ${path}`)] : []),
    ...exposed.map((name) => wrong(check, `${name} is open to others: chmod 600 ${join(path, name)}`)),
    ...leftovers.map((name) =>
      wrong(check, `${name} was left behind by a command that was cut off: remove it`),
    ),
    ...(names.includes('quota.sqlite.damaged')
      ? [wrong(check, 'the counts of the quota were damaged and began anew: check the disk')]
      : []),
  ]
  return findings.length > 0 ? findings : [well(check, `${path} is its owner's alone`)]
}

/** Whether the key file can be read, is whole and is for its owner alone. */
export function checkKeyFile(path: string, hasDatabase: boolean): Finding {
  const opened = openKeyFile(path)
  if (opened.isOk()) {
    const { length } = opened.value.keys
    return well(
      'key file',
      `${path} holds ${length} ${length === 1 ? 'key' : 'keys'} and is its owner's alone`,
    )
  }
  const { code, message } = opened.error
  if (code !== 'key_file_missing') return wrong('key file', message.replace(/\.$/, ''))
  if (!hasDatabase) return well('key file', `${path} is not there yet: the first start makes it`)
  return wrong('key file', `there is none at ${path}, and without it nothing can be read: put it back`)
}

function isExposed(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && isOpenToOthers(stats)
}

function isOpenToOthers({ mode }: Stats): boolean {
  return (mode & 0o077) !== 0
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
