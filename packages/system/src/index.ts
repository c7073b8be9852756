/** What Sotto needs of the machine: an accurate clock, files that survive a power cut, the words for their sizes, and a free port. */

export type { DirectoryFault } from './directory-faults.ts'
export { directoryFaults, isAnotherUsers } from './directory-faults.ts'
export type { FileLock } from './file-lock.ts'
export { takeLock } from './file-lock.ts'
export { findFreePort } from './free-port.ts'
export type { NewFile, NewFileOptions } from './new-file.ts'
export { createNewFile, leftoversIn, temporaryPathBeside } from './new-file.ts'
export { sizeText } from './size-text.ts'
export { makePrivateDirectory, syncPath, syncPathAsync } from './sync-path.ts'
export type { MachineClocks } from './system-clock.ts'
export { createSystemClock } from './system-clock.ts'
export { systemErrorCode } from './system-error.ts'
