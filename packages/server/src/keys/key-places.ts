import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { directoryFaults, type DirectoryFault } from '@sotto/system'

/** How others can replace a key file: in its directory, and in that of the file itself where it is a symbolic link. */
export function keyPlaceFaults(keysFile: string): readonly DirectoryFault[] {
  const directories = new Set([dirname(keysFile), dirname(realPathOf(keysFile))])
  return [...directories].flatMap(faultsOf)
}

/** None for a directory that cannot be examined: the command that uses it fails, too, and its error says why. */
export function faultsOf(directory: string): readonly DirectoryFault[] {
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
