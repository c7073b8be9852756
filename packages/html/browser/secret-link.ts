import { show } from './states.ts'

// The page of a sealed secret, for its owner. Right after the secret was made, the address has the key, which no other page will show.

const { hash, pathname, search } = location
if (/^#[\w-]{22}$/.test(hash)) {
  for (const url of document.querySelectorAll('[data-url]')) url.append(hash)
  history.replaceState(null, '', pathname + search)
  show('keyed')
}
