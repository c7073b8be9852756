import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { directoryFaults, type DirectoryFault } from '@sotto/system'
import type { Settings } from '../config/settings.ts'
import type { StorageSettings } from '../installation/storage-driver.ts'

/** How others can replace the data or the keys of an installation. */
export function placeFaults({
  dataDir,
  database,
  keysFile,
}: StorageSettings & Pick<Settings, 'keysFile'>): readonly DirectoryFault[] {
  return [...(database === undefined ? faultsOf(dataDir) : []), ...keyPlaceFaults(keysFile)]
}

/** How others can replace a key file: in its directory, and in that of the file itself where it is a symbolic link. */
export function keyPlaceFaults(keysFile: string): readonly DirectoryFault[] {
  const directories = new Set([dirname(keysFile), dirname(realPathOf(keysFile))])
  return [...directories].flatMap(faultsOf)
}

/** None for a directory that cannot be examined: the command that uses it fails, too, and its error says why. */
function faultsOf(directory: string): readonly DirectoryFault[] {
  try {
    return directoryFaults(directory)
  } catch {
    return []
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
