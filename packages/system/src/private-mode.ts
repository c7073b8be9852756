import { readFileSync, realpathSync, type Stats } from 'node:fs'

/**
 * Whether the mode of a file gives no right to anybody but its owner, or gives a file of root's to a group of this process to read, and
 * nobody else anything. Kubernetes mounts a secret with `fsGroup` like that, and this process cannot change the mode.
 */
export function isPrivateMode({ mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>): boolean {
  if ((mode & 0o077) === 0) return true
  const isRoots = uid === 0 && process.geteuid?.() !== 0
  return (
    isRoots && (mode & 0o037) === 0 && [process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(gid)
  )
}

/**
 * Whether a file that nobody but its owner may change by its mode is on a read-only mount. Docker, Kubernetes and systemd mount secrets like
 * that, into a place that no other user reaches. The mode shows others' rights there, or those of an access control list.
 */
export function isMountedReadOnly(path: string, { mode }: Pick<Stats, 'mode'>): boolean {
  if ((mode & 0o022) !== 0) return false
  try {
    return isReadOnlyIn(readFileSync('/proc/self/mountinfo', 'utf8'), realpathSync(path))
  } catch {
    return false
  }
}

/** @param mountinfo as proc_pid_mountinfo(5) describes it @param path absolute, without symbolic links */
export function isReadOnlyIn(mountinfo: string, path: string): boolean {
  let found = { place: '', isReadOnly: false }
  for (const line of mountinfo.split('\n')) {
    const [mount = '', filesystem = ''] = line.split(' - ')
    const [, , , , escaped = '', options = ''] = mount.split(' ')
    const place = escaped.replace(/\\([0-7]{3})/g, (_, code: string) =>
      String.fromCharCode(parseInt(code, 8)),
    )
    const isAbove = path === place || path.startsWith(place.endsWith('/') ? place : `${place}/`)
    // A later line of the same place lies over an earlier one.
    if (place === '' || !isAbove || place.length < found.place.length) continue
    const superOptions = filesystem.split(' ')[2] ?? ''
    found = { place, isReadOnly: [options, superOptions].some((each) => each.split(',').includes('ro')) }
  }
  return found.isReadOnly
}
