import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@sotto/system'
import t from 'tap'
import { blocksOf } from '../support/readme-examples.ts'

// Installs, upgrades and goes back as the documents say, word for word. The commands run as root, in a view of the file system of their own:
// what they write to /etc, /opt, /usr/local/bin and /var is in a temporary directory. Only what this machine does not have stands for
// something else: an editor, and systemd, of which the stand-in starts the unit's program as its user, with its environment and directories.

const root = join(import.meta.dirname, '..', '..', '..', '..')
const canMount =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0
const skip = canMount ? {} : { skip: 'nothing can be mounted here' }

const blocks = (document: string, heading: string) => {
  const text = readFileSync(join(root, 'docs', document), 'utf8')
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  return blocksOf(section.split('\n## ')[0] ?? '', 'sh')
}

/** A view of the file system in which the documents' commands can be run, with programs that stand for what is not here. */
const view = (directory: string, port: number) => `
export PATH="${directory}/programs:$PATH"
mkdir -p ${directory}/{programs,etc,opt,bin,lib,cache}
cp -a /etc/. ${directory}/etc
for at in etc:/etc opt:/opt bin:/usr/local/bin lib:/var/lib cache:/var/cache; do
  mkdir -p "\${at#*:}"
  mount --bind "${directory}/\${at%%:*}" "\${at#*:}"
done
mkdir -p /etc/systemd/system
cat >${directory}/programs/editor <<'END'
#!/bin/bash
sed -i 's#^\\(SOTTO_\\(LINK_\\)\\?BASE_URL=\\).*#\\1http://localhost:${port}#' "$1"
echo SOTTO_PORT=${port} >>"$1"
END
cat >${directory}/programs/systemctl <<'END'
#!/bin/bash
set -eu
unit=/etc/systemd/system/sotto.service
of() { sed -n "s/^$1=//p" $unit; }
stop() {
  if [ -f ${directory}/pid ]; then
    kill "$(cat ${directory}/pid)"
    tail --pid="$(cat ${directory}/pid)" -f /dev/null
    rm ${directory}/pid
  fi
}
start() {
  for name in $(of StateDirectory); do install -d -m "$(of StateDirectoryMode)" -o sotto -g sotto "/var/lib/$name"; done
  install -d -m "$(of CacheDirectoryMode)" -o sotto -g sotto "/var/cache/$(of CacheDirectory)"
  cd "$(of WorkingDirectory)"
  setsid setpriv --reuid "$(of User)" --regid "$(of Group)" --clear-groups env $(of Environment) $(of ExecStart) \\
    >>${directory}/journal 2>&1 </dev/null &
  echo $! >${directory}/pid
  for _ in $(seq 600); do
    curl -sf http://127.0.0.1:${port}/readyz >/dev/null && exit 0
    kill -0 $! || exit 1
    sleep 0.1
  done
  exit 1
}
case "$1" in
  daemon-reload) ;;
  enable) start ;;
  start | stop) "$1" ;;
  restart) stop; start ;;
esac
END
chmod +x ${directory}/programs/*
trap 'systemctl stop' EXIT
cd ${root}
`

/** Which version runs. */
const running = (directory: string) => `echo "running: $(readlink /proc/$(cat ${directory}/pid)/exe)"\n`

const count = `echo "folders: $(sotto folder list --account owner@localhost --json | grep -c label)"\n`
const more = 'sotto folder create --account owner@localhost --label Later >/dev/null\n'

// Promise (Installing and operating): Installing, upgrading and going back work as documented
t.test(
  'a machine is installed, upgraded and taken back by the commands of the documents',
  { ...skip, timeout: 600_000 },
  async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'sotto-install-'))
    t.teardown(() => rmSync(directory, { recursive: true, force: true }))
    const [bundle, install, ...others] = blocks('install.md', 'systemd')
    t.same(others, [])
    const [newBundle, upgrade] = blocks('upgrade.md', 'One server')
    const [back, restore] = blocks('upgrade.md', 'Go back')
    const script = [
      view(directory, await findFreePort()),
      ...[bundle, install, running(directory), count],
      ...[newBundle, upgrade, running(directory), count, more, count],
      ...[back, running(directory), count],
      ...[restore, running(directory), count],
    ].join('\n')
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['--mount', '--propagation', 'private', 'bash', '-euo', 'pipefail', '-c', script],
      { encoding: 'utf8', maxBuffer: 2 ** 26 },
    )
    t.equal(status, 0, stderr)
    t.strictSame(
      [...stdout.matchAll(/^(?:running|folders): (.*)$/gm)].map(([, found]) => found),
      [
        ...['/opt/sotto-0.2.0/bin/node', '1'],
        ...['/opt/sotto-0.3.0/bin/node', '1', '2'],
        ...['/opt/sotto-0.2.0/bin/node', '2'],
        ...['/opt/sotto-0.2.0/bin/node', '1'],
      ],
    )
    const journal = readFileSync(join(directory, 'journal'), 'utf8')
    t.match(journal, /one-time link[^]*\/welcome\/[^]*\n {2}sotto account invite --email/)
    t.notMatch(journal, /npm run/, 'which no bundle has')
  },
)
