/** Shows the parts of the page that belong to a state, and hides those of others: `data-when` names the states of a part. */
export function show(state: string): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-when]'))
    part.hidden = !part.dataset['when']?.split(' ').includes(state)
}
