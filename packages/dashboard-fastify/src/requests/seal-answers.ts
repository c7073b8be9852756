import { checkbox, markup, type Html } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'
import type { Sealing } from '../sealed/sealing.ts'

export interface SealAnswersInput {
  readonly sealing: Sealing
  readonly values: { readonly seal: string; readonly key: string }
  readonly fault: string | undefined
}

/** The box that has the answers to a request encrypted for its owner. Only the script of the page makes the keys for that, and shows it. */
export function sealAnswersField(
  { texts }: LocalizedDashboard,
  { sealing, values, fault }: SealAnswersInput,
): Html {
  const { box, hint } = texts.requests.sealed
  return markup`<div data-seal="${sealing}" hidden>
    ${checkbox({ name: 'seal', label: box, isChecked: values.seal !== '' })}
    <p class="hint">${hint}</p>
    ${fault !== undefined && markup`<p class="error">${fault}</p>`}
    <input type="hidden" name="key" value="${values.key}">
  </div>`
}
