import type { FilesTexts } from './en.ts'

export const es: FilesTexts = {
  heading: 'Archivos',
  limits: 'Como máximo {count} archivos de hasta {each} cada uno. Le quedan {left} para archivos.',
  drop: 'También puede soltar archivos en cualquier parte de esta página.',
  add: 'Añadir archivos',
  remove: 'Quitar',
  shown: 'Los destinatarios ven nombres y tamaños antes de abrir el enlace',
  hidden: 'Para añadir o quitar archivos, muestre primero el texto.',
  unreadable: 'Los archivos de este borrador tampoco se pueden leer ya. Se quitan al guardarlo.',
  tooLargeNamed: '{name} ocupa más de {limit}.',
  tooLargeTogether: '{name} ya no cabe: le quedan {left}.',
  tooLarge: 'Un archivo ocupa más de {limit}.',
  full: 'Con estos archivos, todos los suyos juntos ocuparían más de {limit}.',
  longName: 'El nombre de un archivo es demasiado largo.',
  broken: 'Los archivos no han llegado completos.',
  again: 'Elija de nuevo los archivos: ninguna página los devuelve.',
  sending: 'Enviando los archivos…',
  sent: '{sent} de {all}',
  lost: 'Se ha interrumpido la conexión. Lo que escribió sigue aquí: inténtelo de nuevo, por favor.',
  refusedOnTheWay: 'Un servidor intermedio no acepta archivos tan grandes.',
  deleted: 'Se eliminan junto con el texto. Quien abra el enlace podrá guardarlos todavía durante una hora.',
}
