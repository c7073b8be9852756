import type { SealedTexts } from '../en/sealed.ts'

export const sealed: SealedTexts = {
  box: 'Cifrar en este navegador',
  hint: 'Así este servidor no puede leerlo. Su clave está solo en el enlace.',
  readable: 'Este servidor también puede leerlo.',
  noDraft: 'Un borrador no se puede cifrar en el navegador. Para guardar uno, desmarque esa casilla.',
  encrypting: 'Cifrando…',
  keyNow: 'Copie el enlace ahora. Su clave no se guarda y no se puede volver a mostrar.',
  keyElsewhere: 'La clave está solo en el enlace que usted copió.',
  inBrowser: 'Cifrado en el navegador',
  inList: 'cifrado en el navegador',
}
