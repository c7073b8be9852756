import { join } from 'node:path'
import type { Test } from 'tap'
import { chosenFiles } from '../../support/files.ts'
import { enter, type Stage } from '../support/stage.ts'

/** How files are sent and saved, with scripts. */
export async function shareFiles(t: Test, { site, owner, guest }: Stage): Promise<void> {
  const folder = t.testdir(Object.fromEntries(chosenFiles.map(({ name, buffer }) => [name, buffer])))
  const paths = chosenFiles.map(({ name }) => join(folder, name))
  await enter(owner, site)

  await t.test('files are chosen, dropped, taken back and sent', async (t) => {
    await owner.follow('New secret')
    await owner.attach('Add files', paths)
    await owner.sees('2.8 MB')
    await owner.evaluate(dropping)
    await owner.sees('dropped.txt')
    await owner.click('Remove ملاحظات.txt')
    await owner.attach('Add files', paths.slice(1))
    await owner.sees('5 bytes')
    await owner.fill('Text', 'the note')
    await owner.press('Create link')
    await owner.sees('Your secret is ready.')
    const names = [chosenFiles[0].name, 'dropped.txt', chosenFiles[1].name]
    t.same(
      await owner.evaluate(
        `[...document.querySelectorAll('.files bdi')].map(({ textContent }) => textContent)`,
      ),
      names,
    )
  })

  await t.test('their recipient saves them, each as it was', async (t) => {
    await guest.goto(await owner.textOf('#link'))
    await guest.press('Open the message')
    for (const { name, buffer } of chosenFiles)
      t.ok((await guest.save(`Save ${name}`, name)).equals(buffer), name)
    t.equal(String(await guest.save('Save dropped.txt', 'dropped.txt')), 'dropped')
    t.equal(await guest.textOf('#note'), 'the note', 'the page is still there')
  })
}

/** No driver drops files of the system, so the page gets the same event. */
const dropping = `(() => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['dropped'], 'dropped.txt'))
  document.querySelector('h1').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
})()`
