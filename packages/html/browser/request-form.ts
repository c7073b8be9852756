import { isOwnerKey, newRequestKeys } from '@sotto/sealed'

// The form of a new request. While its box is ticked, the answers will be encrypted. The owner's key is in the fragment of the address that the
// form leads to, which is not sent: the page of the request finds it there.

interface Fields extends HTMLFormControlsCollection {
  readonly seal: HTMLInputElement
  readonly key: HTMLInputElement
}

function prepare(part: HTMLElement, form: HTMLFormElement): void {
  const { seal: box, key } = form.elements as Fields
  // A form that came back has its key in the address, and the box as it was.
  let ownerKey = ''
  const given = location.hash.slice(1)
  void isOwnerKey({ key: key.value, ownerKey: given }).then((isRight) => {
    if (isRight) ownerKey = given
  })
  part.hidden = false
  box.checked ||= part.dataset['seal'] === 'ticked'

  const make = async (submitter: HTMLElement | null): Promise<void> => {
    const keys = await newRequestKeys()
    key.value = keys.key
    ownerKey = keys.ownerKey
    // Browsers ignore a form that is sent while a promise goes on.
    setTimeout(() => form.requestSubmit(submitter ?? undefined))
  }
  form.addEventListener('submit', (event) => {
    form.action = '/requests/new'
    if (!box.checked) key.value = ownerKey = ''
    else if (ownerKey) form.action += `#${ownerKey}`
    else {
      event.preventDefault()
      event.stopImmediatePropagation()
      void make(event.submitter)
    }
  })
}

const part = document.querySelector<HTMLElement>('[data-seal]')
const form = part?.closest('form')
if (part && form && isSecureContext) prepare(part, form)
