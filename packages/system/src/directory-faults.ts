import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'

/** How somebody else can replace the files in a directory. */
export interface DirectoryFault {
  /** Says what is wrong and what to do, without a full stop. */
  readonly text: string
  /** Whether nothing may be kept there. */
  readonly isFatal: boolean
}

const remedy = "use a directory that is this user's alone"

/**
 * The ways in which users other than root and that of this process can replace what is in a directory; none where it does not exist, and
 * where there are no users, as on Windows. The modes of its files do not prevent it.
 *
 * The root of a mounted volume often belongs to whoever made the volume, or is open to everybody, and who can reach it is decided
 * elsewhere. So nothing is fatal there. Nor is a group that may write, which often has one member.
 *
 * @throws the file system's error, unless it is that the directory does not exist
 */
export function directoryFaults(path: string): readonly DirectoryFault[] {
  const link = lstatSync(path, { throwIfNoEntry: false })
  const directory = statSync(path, { throwIfNoEntry: false })
  if (link === undefined || directory?.isDirectory() !== true || process.geteuid === undefined) return []
  const isVolume = statSync(join(realpathSync(path), '..')).dev !== directory.dev
  const isOpenToAll = (directory.mode & 0o002) !== 0
  const faults: DirectoryFault[] = [...linkTexts(path, link), ...ownerTexts(path, directory, link)].map(
    (text) => ({ text, isFatal: !isVolume }),
  )
  if (isOpenToAll)
    faults.push({ text: `everybody can replace what is in ${path}: ${remedy}`, isFatal: !isVolume })
  else if (isOpenToGroup(directory, isVolume))
    faults.push({ text: `its group can replace what is in ${path}: ${remedy}`, isFatal: false })
  return faults
}

/** Whether a file is neither root's nor that of the user of this process. False where there are no users. */
export function isAnotherUsers({ uid }: Pick<Stats, 'uid'>): boolean {
  const own = process.geteuid?.()
  return own !== undefined && uid !== own && uid !== 0
}

function linkTexts(path: string, link: Stats): readonly string[] {
  if (!link.isSymbolicLink() || !isAnotherUsers(link)) return []
  return [`${path} is a symbolic link of another user, who can make it lead elsewhere: ${remedy}`]
}

function ownerTexts(path: string, directory: Stats, link: Stats): readonly string[] {
  if (!isAnotherUsers(directory)) return []
  const what = link.isSymbolicLink() ? 'is a symbolic link to a directory of' : 'belongs to'
  return [`${path} ${what} another user, who can replace what is in it: run this as that user, or ${remedy}`]
}

/** Kubernetes gives a volume to the group of the process, in which nobody else is. */
function isOpenToGroup({ mode, gid }: Stats, isVolume: boolean): boolean {
  return (mode & 0o020) !== 0 && !(isVolume && gid === process.getegid?.())
}
