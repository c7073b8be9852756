import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const user = 10_001
const group = 10_002

const canMount =
  spawnSync('unshare', [
    '-m',
    'sh',
    '-c',
    'mount -t tmpfs none /mnt && setpriv --ambient-caps +dac_read_search --inh-caps +dac_read_search true',
  ]).status === 0
const skip = canMount ? {} : { skip: 'nothing can be mounted here' }

/** Where a secret is and what its mode and owner are, and what of it can be read: the client secret, the settings, the key file, client.json. */
const mounts: readonly [what: string, options: string, mode: string, owner: string, read: string][] = [
  ['Kubernetes with fsGroup', 'ro', '0440', `0:${group}`, 'secret settings keys access'],
  ['Kubernetes with fsGroup, on a volume', 'rw', '0440', `0:${group}`, 'secret settings keys access'],
  ['Kubernetes by default, Docker, Podman with --read-only', 'ro', '0444', '0:0', 'secret settings'],
  ['Kubernetes by default', 'ro', '0644', '0:0', 'secret settings'],
  [
    'systemd, whose access control list shows as a right of the group',
    'ro',
    '0440',
    '0:0',
    'secret settings',
  ],
  ['Podman with uid and mode', 'rw', '0400', `${user}:0`, 'secret settings keys access'],
  ['a file that everybody can read', 'rw', '0444', '0:0', ''],
  ['a file of another group', 'rw', '0440', '0:12345', ''],
  ['a file that its group can change', 'ro', '0460', `0:${group}`, ''],
  ['a file that everybody can change', 'ro', '0446', '0:0', ''],
  ['a file of another user', 'ro', '0444', '12345:0', ''],
]

/** Prints which of the files in each mount can be read. */
const program = `
  const { readSettings } = await import('${join(import.meta.dirname, '../../src/config/settings.ts')}')
  const { readAccess } = await import('${join(import.meta.dirname, '../../src/remote/access.ts')}')
  const { openKeyFile } = await import('${join(import.meta.dirname, '../../../adapter-node-crypto/src/index.ts')}')
  const sso = { SOTTO_OIDC_ISSUER: 'https://login.example.org', SOTTO_OIDC_CLIENT_ID: 'sotto' }
  for (const at of Array(${mounts.length}).keys()) {
    const place = '/mnt/' + at
    const read = {
      secret: readSettings({ ...sso, SOTTO_OIDC_CLIENT_SECRET_FILE: place + '/sotto/secret' }, '/'),
      settings: readSettings({ SOTTO_ENV_FILE: place + '/sotto/settings' }, '/'),
      keys: openKeyFile(place + '/sotto/keys'),
      access: readAccess({ XDG_CONFIG_HOME: place, HOME: place }),
    }
    console.log(Object.keys(read).filter((name) => read[name].isOk()).join(' '))
  }`

// Promise (Installing and operating): Secrets are read as Kubernetes, Docker, Podman and systemd mount them
t.test(
  'files with secrets are read where they are mounted, and refused where others can read them',
  skip,
  (t) => {
    const key = Buffer.alloc(32, 1).toString('base64')
    const keys = { version: 1, active_kid: 1, next_kid: 2, keys: [{ kid: 1, key, created_at: 'now' }] }
    const made = mounts.map(
      (
        [, options, mode, owner],
        at,
      ) => `mkdir /mnt/${at}; mount -t tmpfs none /mnt/${at}; mkdir /mnt/${at}/sotto; cd /mnt/${at}/sotto
      echo hush > secret; echo SOTTO_PORT=8080 > settings
      echo '${JSON.stringify(keys)}' > keys; echo '{"url":"https://a.example","token":"t"}' > client.json
      chmod ${mode} *; chown ${owner} *; mount -o remount,bind,${options} /mnt/${at}`,
    )
    // The capability is in the place of an access control list, which not every file system has.
    const asUser = `setpriv --reuid ${user} --regid ${user} --groups ${group} --inh-caps +dac_read_search --ambient-caps +dac_read_search`
    const script = `set -e; mount -t tmpfs none /mnt
    ${made.join('\n')}
    cd /mnt; exec ${asUser} '${process.execPath}' --input-type=module`
    const options = { input: program, encoding: 'utf8', env: { PATH: process.env['PATH'] } } as const
    const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script], options)
    const read = stdout.split('\n')
    for (const [at, [what, options, mode, owner, expected]] of mounts.entries())
      t.equal(read[at], expected, `${what}: ${mode} ${owner}, ${options}`)
    t.equal(stderr, '')
    t.end()
  },
)
