export { linkTexts } from '../../src/link/texts/link-texts.ts'
