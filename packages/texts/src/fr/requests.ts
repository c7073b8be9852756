import type { RequestMailTexts, RequestPageTexts, RequestsTexts } from '../en/requests.ts'

export const requests: RequestsTexts = {
  heading: 'Demandes',
  newRequest: 'Nouvelle demande',
  lead: 'Demandez un texte à quelqu’un, qui n’a pas besoin de compte. Ce qui est remis devient un de vos brouillons.',
  none: {
    heading: 'Aucune demande',
    lead: 'Une demande reçoit un lien, que vous envoyez à la personne à qui vous demandez.',
  },
  more: 'Plus de demandes',
  title: 'Demande',
  titleHint: 'Quiconque a le lien le voit. Les brouillons le reçoivent comme titre.',
  text: 'Ce qu’il faut envoyer',
  textHint: 'Par exemple quel mot de passe, et où le trouver. Quiconque a le lien peut le lire.',
  answers: 'Réponses permises',
  closes: 'Fermée après',
  notify: 'Me prévenir à chaque réponse',
  takesFiles: 'Des fichiers peuvent être joints',
  create: 'Créer la demande',
  created: 'La demande est prête. Envoyez ce lien à la personne à qui vous demandez.',
  answered: 'Réponses : {count} sur {allowed}',
  open: 'Ouverte jusqu’au {time}',
  closed: 'Fermée',
  answersHeading: 'Réponses',
  newAnswers: 'Nouvelles réponses',
  noAnswers: 'Aucune réponse n’attend ici.',
  answerTo: 'Réponse à {title}',
  isNew: 'Nouveau',
  copy: 'Copier',
  save: 'Enregistrer dans un fichier',
  edit: 'Modifier',
  copyFailed:
    'La copie n’a pas fonctionné. Veuillez ouvrir la réponse, sélectionner le texte et le copier vous-même.',
  close: 'Fermer',
  closeHint: 'Le lien cesse aussitôt de fonctionner. Les réponses remises restent parmi vos brouillons.',
  inFolder: { one: '{count} demande', many: '{count} de demandes', other: '{count} demandes' },
  sealed: {
    box: 'Chiffrer les réponses',
    hint: 'Elles sont chiffrées dans le navigateur de la personne qui répond. Seule la clé que ce navigateur crée les déchiffre\u00a0: ce serveur ne peut pas les lire. Il peut lire le titre et la question.',
    heading: 'Clé de cette demande',
    keyNow:
      'Gardez aussi cette clé ailleurs. Elle n’est affichée que maintenant, et sans elle personne ne peut lire les réponses.',
    copyKey: 'Copier la clé',
    copyKeyFailed: 'La copie n’a pas fonctionné\u00a0: sélectionnez la clé et copiez-la.',
    onDevice:
      'La clé est dans ce navigateur. Avec elle, le lien est affiché et les réponses sont déchiffrées.',
    forget: 'Oublier sur cet appareil',
    missing:
      'La clé de cette demande n’est pas sur cet appareil. Sans elle, le lien ne peut pas être affiché, et aucune réponse ne peut être déchiffrée.',
    field: 'Clé',
    use: 'Utiliser cette clé',
    wrong: 'Ce n’est pas la clé de cette demande.',
    insecure: 'Ouvrez cette page avec https.',
    noScript:
      'Les réponses chiffrées ont besoin de JavaScript\u00a0: elles sont déchiffrées dans ce navigateur.',
    undecryptable: 'Le texte n’a pas pu être déchiffré',
    move: 'Déplacer',
    saveSealed: 'Enregistrer tel quel',
    saving: 'Enregistrement…',
    fileUndecryptable: 'Le fichier n’a pas pu être déchiffré. Rien n’a été enregistré.',
    fileFailed: 'Le fichier n’a pas pu être chargé. Veuillez réessayer.',
  },
  done: {
    requestClosed: 'La demande est fermée.',
    answerDeleted: 'La réponse est supprimée.',
  },
}

export const requestPage: RequestPageTexts = {
  heading: 'Remettre un texte confidentiel',
  from: '{name} vous demande un texte confidentiel',
  fromService: 'Une personne qui utilise {service} vous demande un texte confidentiel',
  unverified: 'La personne qui demande a choisi ce nom. Personne ne l’a vérifié.',
  label: 'Votre texte',
  readers: 'La personne qui demande peut le lire, ainsi que quiconque contrôle le serveur.',
  send: 'Envoyer',
  sending: 'Envoi en cours…',
  until: 'Vous pouvez répondre jusqu’au {time} ({when}).',
  caution:
    'Ne répondez que si vous vous y attendiez. En cas de doute, posez la question à la personne par un autre moyen avant de saisir quoi que ce soit.',
  missing: 'Veuillez saisir le texte.',
  tooLong: 'Le texte est plus long que ce que ce service accepte. Veuillez le raccourcir.',
  notText: 'Le texte contient des caractères qui ne peuvent pas être enregistrés.',
  notSealed:
    'Le texte n’a pas été chiffré dans le navigateur, ou il est plus long que ce que ce service accepte. Rien n’a été transmis.',
  tooMany:
    'Trop de réponses sont venues de votre réseau. Votre texte est toujours là : envoyez-le à nouveau {when}.',
  busy: 'Le serveur est occupé et rien n’a été remis. Votre texte est toujours là : envoyez-le à nouveau dans quelques secondes.',
  unwritable:
    'Le serveur ne peut pas écrire en ce moment et rien n’a été remis. Votre texte est toujours là : envoyez-le à nouveau plus tard.',
  uncertain:
    'La connexion a été coupée. Votre texte a peut-être déjà été remis. Envoyez-le à nouveau : il n’est jamais ajouté deux fois.',
  failed: 'Un problème est survenu de notre côté et rien n’a été remis. Votre texte est toujours là.',
  sealed: {
    readers: 'Il est chiffré dans ce navigateur avant d’être envoyé. Ce serveur ne peut pas le lire.',
    noScript: 'Ce formulaire a besoin de JavaScript, ou de la commande\u00a0: {command}',
  },
  files: {
    label: 'Fichiers',
    hint: 'Des fichiers seuls suffisent : {count} au plus, de {each} chacun au maximum.',
    missing: 'Veuillez saisir le texte ou choisir un fichier.',
    tooMany: 'Il y a plus de {count} fichiers.',
    tooLarge: 'Un fichier dépasse {limit}.',
    noRoom:
      'Il n’y a pas de place ici pour ces fichiers en ce moment. Envoyez-en moins, de plus petits, ou seulement le texte.',
    wrongName:
      'Le nom d’un fichier est trop long ou contient des caractères non autorisés. Renommez le fichier.',
    broken: 'Les fichiers ne sont pas arrivés en entier.',
    notTaken: 'On ne peut plus envoyer de fichiers ici, et rien n’a été remis. Votre texte est toujours là.',
    again: 'Choisissez les fichiers à nouveau : aucune page ne les renvoie.',
  },
  tooLarge: {
    heading: 'Le texte est trop grand',
    lead: 'Rien n’a été remis. Revenez en arrière dans votre navigateur, où le texte devrait encore se trouver, et raccourcissez-le.',
  },
  refused: {
    heading: 'Ce texte n’a pas été accepté',
    lead: 'Il ne venait pas de la page de ce lien, donc rien n’a été remis. Veuillez commencer sur cette page.',
  },
  unreadable: {
    heading: 'L’envoi n’a pas pu être lu',
    lead: 'Rien n’a été remis. Veuillez recommencer sur la page du lien.',
  },
  received: {
    heading: 'Votre réponse a été reçue',
    lead: 'Il a été remis le {time} et ne peut plus être lu ici.',
    advice: 'Vous pouvez fermer cette page.',
  },
  gone: {
    heading: 'Il n’y a rien à quoi répondre ici',
    lead: 'La demande a peut-être déjà reçu sa réponse, a été fermée ou a expiré, ou le lien n’a pas été copié en entier.',
    advice: 'Demandez-en un nouveau à la personne qui vous l’a envoyé.',
  },
}

export const requestMails: RequestMailTexts = {
  answered: {
    heading: 'Votre demande a reçu une réponse',
    lead: 'La réponse est un brouillon dans le dossier de la demande, sous le même titre.',
    full: 'C’était la dernière réponse que la demande accepte. Le lien ne fonctionne plus.',
  },
  unanswered: {
    heading: 'Votre demande s’est fermée sans réponse',
    lead: 'Personne n’y a répondu à temps. Le lien ne fonctionne plus.',
  },
  facts: {
    answers: 'Réponses jusqu’ici',
    answersLeft: 'Réponses restantes',
    closes: 'Se ferme le',
    closed: 'Fermée le',
  },
  seeRequest: 'Voir la demande',
  whyRequest:
    'Vous recevez cet e-mail parce que «\u00a0Me prévenir d’une réponse\u00a0» est choisi pour cette demande.',
}
