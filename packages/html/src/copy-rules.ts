/** The rules for what copies and what says how that went, for the sheet of each area that has it. */
export const copyRules = `
.bar { display: flex; align-items: center; justify-content: space-between; gap: .75rem; }
.bar .status { margin: 0; }
.bar .status:empty { position: absolute; }
.main { display: inline-flex; align-items: center; justify-content: center; gap: .5rem; }
:is(.main, .quiet) svg { flex: none; width: 1.125rem; height: 1.125rem; }
`
