import type { FilesTexts } from '../en/files.ts'

export const files: FilesTexts = {
  heading: 'Fichiers',
  counted: { one: '{count} fichier', many: '{count} de fichiers', other: '{count} fichiers' },
  help: 'Un message peut être accompagné de fichiers de tout type\u00a0: au plus {count}, de {each} chacun. Tous vos fichiers ensemble peuvent atteindre {all}.',
  neverShown: 'Aucune page n’affiche le contenu d’un fichier\u00a0: les destinataires l’enregistrent.',
  limits: 'Au plus {count} fichiers, de {each} chacun. Il vous reste {left} pour les fichiers.',
  drop: 'Vous pouvez aussi déposer des fichiers n’importe où sur cette page.',
  add: 'Ajouter des fichiers',
  save: 'Enregistrer',
  remove: 'Retirer',
  textOrFile: 'Écrivez un texte ou ajoutez un fichier.',
  room: 'Vos fichiers occupent {used} sur {all}\u00a0: il reste {left}.',
  shown: 'Les destinataires voient les noms et les tailles avant d’ouvrir le lien',
  hidden: 'Pour ajouter ou retirer des fichiers, affichez d’abord le texte.',
  unreadable:
    'Les fichiers de ce brouillon ne peuvent plus être lus non plus. Ils sont retirés à l’enregistrement.',
  tooLargeNamed: '{name} dépasse {limit}.',
  tooLargeTogether: '{name} ne rentre plus\u00a0: il vous reste {left}.',
  wrongName:
    'Le nom {name} contient un caractère non autorisé, affiché ici comme \uFFFD. Renommez le fichier.',
  folder: '{name} est un dossier. Mettez-le d’abord dans un seul fichier, par exemple une archive ZIP.',
  tooLarge: 'Un fichier dépasse {limit}.',
  full: 'Avec ces fichiers, tous vos fichiers ensemble dépasseraient {limit}.',
  diskFull:
    'Il n’y a pas de place pour des fichiers sur ce serveur pour le moment. Sans eux, le texte peut être envoyé.',
  longName: 'Le nom d’un fichier est trop long.',
  broken: 'Les fichiers ne sont pas arrivés en entier.',
  again: 'Choisissez de nouveau les fichiers\u00a0: aucune page ne les renvoie.',
  sending: 'Envoi des fichiers…',
  sent: '{sent} sur {all}',
  unsendable:
    '{name} a changé depuis que vous l’avez choisi, ou ne peut pas être lu. Retirez-le et choisissez-le de nouveau.',
  lost: 'La connexion a été interrompue. Votre saisie est toujours là\u00a0: veuillez réessayer.',
  refusedOnTheWay: 'Un serveur intermédiaire n’accepte pas de fichiers aussi volumineux.',
  deleted:
    'Ils sont supprimés avec le texte. Toute personne qui ouvre le lien peut encore les enregistrer pendant une heure.',
}
