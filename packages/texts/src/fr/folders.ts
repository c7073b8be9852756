import type { FoldersTexts } from '../en/folders.ts'

export const folders: FoldersTexts = {
  newFolder: 'Nouveau dossier',
  create: 'Créer',
  labelHint: 'Les destinataires ne le voient pas.',
  manage: 'Renommer ou supprimer',
  rename: 'Renommer',
  delete: 'Supprimer le dossier',
  deleteHeading: 'Supprimer ce dossier\u00a0?',
  deleteEmpty: 'Le dossier est vide. Cette action est irréversible.',
  deleteFull:
    'Sont supprimés avec lui\u00a0: {contents}. Les liens cessent aussitôt de fonctionner. Cette action est irréversible.',
  secrets: { one: '{count} message', many: '{count} de messages', other: '{count} messages' },
  drafts: { one: '{count} brouillon', many: '{count} de brouillons', other: '{count} brouillons' },
  added: 'Quelque chose a été ajouté au dossier depuis la question. Voici ce qu’il contient maintenant.',
  dashboard: {
    heading: 'Messages',
    folders: 'Dossiers',
    allFolders: 'Tous les dossiers',
    show: 'Afficher',
    statuses: { all: 'Tous', waiting: 'En attente', opened: 'Ouverts', finished: 'Terminés' },
    noneOfStatus: { heading: 'Rien de ce genre', lead: 'Les autres messages sont sous «\u00a0Tous\u00a0».' },
    older: 'Messages plus anciens',
    newest: 'Messages les plus récents',
    noFolders: {
      heading: 'Commencez par un dossier',
      lead: 'Les dossiers séparent vos messages, par exemple un pour chaque client ou projet.',
    },
    noSecrets: {
      heading: 'Aucun message ici pour l’instant',
      lead: 'Écrivez un texte, obtenez un lien et envoyez-le à la personne qui doit le lire.',
      action: 'Écrire un message',
    },
    corrupted:
      'Certains messages ne peuvent pas être affichés, car leurs données sont endommagées. Adressez-vous à l’administrateur de ce service.',
  },
  search: {
    heading: 'Recherche',
    field: 'Chercher dans tous les titres',
    submit: 'Chercher',
    found: { one: '{count} trouvé', many: '{count} trouvés', other: '{count} trouvés' },
    stopped: {
      one: 'La recherche s’est arrêtée après {count} titre.',
      many: 'La recherche s’est arrêtée après {count} de titres.',
      other: 'La recherche s’est arrêtée après {count} titres.',
    },
    more: 'Poursuivre la recherche',
    nothing: {
      heading: 'Rien trouvé',
      lead: 'Aucun titre ne contient tous ces mots. Les textes ne sont pas parcourus.',
    },
    busy: 'Une autre de vos recherches est encore en cours, donc rien n’a été cherché. Veuillez réessayer dans un instant.',
  },
  several: {
    deleteSelected: 'Supprimer la sélection',
    heading: 'Supprimer ce que vous avez sélectionné\u00a0?',
    lead: 'Les liens cessent de fonctionner et les contenus sont supprimés immédiatement. Cette action est irréversible.',
    tooMany: {
      heading: 'Trop d’éléments sont sélectionnés',
      lead: 'On peut en supprimer {limit} au plus à la fois. Rien n’a été supprimé.',
    },
    deletedSecrets: {
      one: '{count} message supprimé.',
      many: '{count} de messages supprimés.',
      other: '{count} messages supprimés.',
    },
    deletedDrafts: {
      one: '{count} brouillon supprimé.',
      many: '{count} de brouillons supprimés.',
      other: '{count} brouillons supprimés.',
    },
    removeFinished: 'Retirer tous les terminés ({count})',
    finishedHeading: 'Retirer tous les messages terminés\u00a0?',
    finishedLead: {
      one: '{count} message quitte la liste. Plus personne ne peut l’ouvrir\u00a0: son texte est déjà supprimé, et le reste l’est maintenant.',
      many: '{count} de messages quittent la liste. Plus personne ne peut les ouvrir\u00a0: leurs textes sont déjà supprimés, et le reste l’est maintenant.',
      other:
        '{count} messages quittent la liste. Plus personne ne peut les ouvrir\u00a0: leurs textes sont déjà supprimés, et le reste l’est maintenant.',
    },
    remove: 'Retirer',
    removed: { one: '{count} retiré', many: '{count} retirés', other: '{count} retirés' },
  },
  done: {
    noneSelected: 'Rien n’est sélectionné. Cochez ce que vous voulez supprimer.',
    folderCreated: 'Le dossier est prêt.',
    folderRenamed: 'Le dossier a son nouveau titre.',
    folderDeleted: 'Le dossier est supprimé.',
  },
}
