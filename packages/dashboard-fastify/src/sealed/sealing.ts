/** Whether the pages offer to encrypt in the browser: `offer` does so, `ticked` with the box ticked already, `off` does not. */
export type Sealing = 'offer' | 'ticked' | 'off'
