import { join } from 'node:path'
import type { Test } from 'tap'
import { canary } from '../../support/sealed.ts'
import { enter, type Stage } from '../support/stage.ts'

/** How an owner asks for what only they can decrypt. */
export async function askForSealed(t: Test, { site, owner, guest }: Stage): Promise<void> {
  const bytes = Buffer.alloc(200_000, 7)
  const path = join(t.testdir({ 'plan.bin': bytes }), 'plan.bin')
  let [link, key] = ['', '']
  await enter(owner, site)

  await t.test('a request gets a key, which its page shows once', async (t) => {
    await owner.follow('Requests')
    await owner.follow('New request')
    await owner.fill('Your name', 'Ada')
    await owner.fill('Title', 'Passport')
    await owner.click('Files may be attached')
    await owner.click('Encrypt the answers')
    await owner.press('Create request')
    await owner.sees('It is shown only now')
    link = await owner.textOf('#link')
    key = await owner.textOf('#owner-key')
    t.match(link, /\/r\/[\w-]{43}#[\w-]{22}$/)
    t.match(key, /^[\w-]{64}$/)
    t.equal(await owner.evaluate('location.hash'), '', 'the key has left the address')
  })

  await t.test('a stranger answers by the whole link, with a file', async (t) => {
    const [url = '', auth = ''] = link.split('#')
    await guest.goto(url)
    await guest.sees('This link is incomplete. The part after # is missing.')
    t.notOk(await guest.has('Send'))
    await guest.evaluate(`location.hash = '#${auth}'`)
    await guest.sees('This server cannot read it.')
    await guest.fill('Your text', canary)
    await guest.attach('Files', [path])
    await guest.click('Send')
    await guest.sees('Your answer was received')
    t.equal(await guest.evaluate('location.hash'), '')
    t.equal(await guest.evaluate('localStorage.length'), 0)
  })

  await t.test('its owner reads, copies and saves it, with the key on the device', async (t) => {
    await owner.follow('Requests')
    await owner.follow('Passport')
    await owner.sees(canary)
    await owner.click('Copy')
    await owner.sees('Copied')
    t.equal(await owner.pasted(), canary)
    t.ok((await owner.save('Save plan.bin', 'plan.bin')).equals(bytes))
  })

  await t.test('without the key it stays encrypted, until the key is put in again', async (t) => {
    await owner.press('Forget on this device')
    await owner.sees('The key of this request is not on this device.')
    t.notOk(await owner.has('Copy'))
    t.equal(await owner.evaluate('localStorage.length'), 0)
    await owner.fill(
      'Key',
      key.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    )
    await owner.click('Use this key')
    await owner.sees('This is not the key of this request.')
    await owner.fill('Key', key)
    await owner.click('Use this key')
    await owner.sees(canary)
    await owner.reload()
    await owner.sees(canary)
  })
}
