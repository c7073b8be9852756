import type { Uuid } from '@sotto/core'
import { copyBar, markup, type Html } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'

/** The request that a key belongs to, and what its answers are encrypted with. */
interface Keyed {
  readonly id: Uuid
  readonly key: string
}

/**
 * The key of a request's owner, which only this browser has: shown once, forgotten, or put in again. `data-when` says with which state of it a
 * part is shown.
 * @param link what is shown only with the key
 */
export function keyPanel(
  localized: LocalizedDashboard,
  { id, key }: Keyed,
  link: Html | false = false,
): Html {
  const { secrets, requests } = localized.texts
  const { keyNow, copyKey, copyKeyFailed, onDevice, forget, missing, field, use, wrong } = requests.sealed
  const { heading, insecure, noScript } = requests.sealed
  const copy = { copy: copyKey, copied: secrets.secret.copied, copyFailed: copyKeyFailed }
  return markup`<noscript><p class="banner warning">${noScript}</p></noscript>
    <p class="banner warning" data-when="insecure" hidden>${insecure}</p>
    <div data-panel="${id}" data-key="${key}">
    ${link && markup`<div data-when="new keyed" hidden>${link}</div>`}
    <section class="panel" data-when="new keyed keyless" hidden>
      <h2>${heading}</h2>
      <div data-when="new" hidden><p>${keyNow}</p>
        <p><code class="once" id="owner-key" dir="ltr" translate="no"></code></p>
        ${copyBar('owner-key', copy, 'main')}</div>
      <div data-when="new keyed" hidden><p>${onDevice}</p><button type="button" class="secondary" data-forget>${forget}</button></div>
      <form data-when="keyless" data-wrong="${wrong}" novalidate hidden><p>${missing}</p>
        <label for="typed-key">${field}</label>
        <input id="typed-key" type="text" dir="ltr" autocomplete="off" autocapitalize="off" spellcheck="false" translate="no" aria-describedby="typed-key-fault">
        <p class="error" id="typed-key-fault" role="alert"></p>
        <button type="submit">${use}</button></form>
    </section>
    </div>`
}
