import t from 'tap'
import { isReadOnlyIn } from '../src/private-mode.ts'

const mountinfo = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:25 / /run rw,nosuid - tmpfs tmpfs rw
31 30 0:26 / /run/secrets ro,relatime - tmpfs tmpfs rw
32 30 0:27 / /run/credentials/sotto.service rw,relatime - ramfs none ro,mode=700
33 22 8:1 /a /srv/with\\040space ro - ext4 /dev/sda1 rw
34 22 0:28 / /twice ro - tmpfs tmpfs rw
35 22 0:29 / /twice rw - tmpfs tmpfs rw
`

t.test('the innermost mount above a path decides, and of several at one place the last', (t) => {
  for (const path of ['/run/secrets/oidc', '/run/credentials/sotto.service/oidc', '/srv/with space/a'])
    t.ok(isReadOnlyIn(mountinfo, path), path)
  for (const path of [
    '/run/secrets-of-others/oidc',
    '/run/a',
    '/etc/sotto/oidc',
    '/twice/a',
    '/srv/with',
    '/',
  ])
    t.notOk(isReadOnlyIn(mountinfo, path), path)
  t.notOk(isReadOnlyIn('', '/a'))
  t.end()
})
