import type { CommonTexts } from '../en/common.ts'

export const common: CommonTexts = {
  navigation: {
    label: 'Páginas',
    skip: 'Ir al contenido',
    signOut: 'Cerrar sesión',
  },
  fieldErrors: {
    empty: 'Rellene este campo, por favor.',
    too_long: {
      one: 'Use {limit} carácter como máximo.',
      many: 'Use {limit} de caracteres como máximo.',
      other: 'Use {limit} caracteres como máximo.',
    },
    too_long_bytes: {
      one: 'Es demasiado largo: {limit} byte como máximo.',
      many: 'Es demasiado largo: {limit} de bytes como máximo.',
      other: 'Es demasiado largo: {limit} bytes como máximo.',
    },
    control_character: 'Quite los saltos de línea y otros caracteres de control.',
    invisible_character: 'Quite los caracteres invisibles y los que cambian el sentido de la escritura.',
    nul_character: 'Quite el carácter NUL.',
    lone_surrogate: 'Contiene un carácter dañado.',
    out_of_range: 'Escriba un número entero, {limit} como máximo.',
    not_a_number: 'Escriba un número entero.',
    not_an_email: 'Escriba una dirección de correo, por ejemplo ada@example.org.',
    unknown_folder: 'Elija una de sus carpetas.',
    not_a_file_name: 'El nombre de un archivo contiene /, \\ o un carácter invisible. Cámbiele el nombre.',
    sealed_draft: 'Un texto cifrado en el navegador no se puede guardar como borrador.',
    too_many: 'Elija como máximo {limit} archivos.',
    unknown_choice: 'Elija una de las opciones.',
    too_short: {
      one: 'Use {limit} carácter como mínimo.',
      many: 'Use {limit} de caracteres como mínimo.',
      other: 'Use {limit} caracteres como mínimo.',
    },
    too_common: 'Muchas personas usan esta contraseña. Elija otra.',
    contains_email: 'Contiene la palabra «{word}», que forma parte de su dirección de correo. Quítela.',
    wrong_password: 'Esta contraseña no es correcta.',
    password_again: 'Escriba de nuevo la contraseña: ninguna página la devuelve.',
  },
  invalidForm: 'Todavía no se ha hecho nada. Corrija primero, por favor:',
  help: 'Ayuda',
  cancel: 'Cancelar',
  showPassword: 'Mostrar la contraseña',
  notFound: {
    heading: 'Aquí no hay nada',
    lead: 'Lo que busca no existe, ha caducado, se ha eliminado o pertenece a otra cuenta.',
  },
  refused: {
    heading: 'Esta solicitud no venía de nuestra página',
    lead: 'Otro sitio envió este formulario, así que no se ha cambiado nada. Abra la página aquí y vuelva a intentarlo.',
  },
  unreadable: {
    heading: 'No se ha podido leer el formulario',
    lead: 'No se ha cambiado nada. Vuelva atrás, recargue la página e inténtelo de nuevo.',
  },
  busy: {
    heading: 'El servicio está ocupado',
    lead: 'No se ha cambiado nada. Vuelva a intentarlo dentro de unos segundos.',
  },
  unwritable: {
    heading: 'El servicio no puede guardar nada en este momento',
    lead: 'No se ha cambiado nada. Inténtelo de nuevo más tarde.',
  },
  uncertain: {
    heading: 'Se cortó la conexión con la base de datos',
    lead: 'Es posible que se haya hecho de todos modos. Compruébelo antes de volver a intentarlo.',
  },
  failed: {
    heading: 'Algo ha fallado',
    lead: 'El error ha quedado registrado. Vuelva a intentarlo y, si ocurre de nuevo, consulte a quien administra este servicio.',
  },
  tooMany: {
    heading: 'Demasiados cambios',
    lead: 'No se ha cambiado nada. Podrá continuar {when}.',
  },
  sessionOver: {
    heading: 'Se ha cerrado la sesión',
    lead: 'Lo que escribió no se ha guardado, pero sigue en esta página, salvo las contraseñas. Inicie sesión en otra pestaña; después vuelva aquí y envíelo de nuevo.',
    nothingKept: 'No se guardó ni se cambió nada. Inicie sesión y repítalo.',
    signIn: 'Iniciar sesión en otra pestaña',
    sendAgain: 'Enviar de nuevo',
  },
  home: 'Ir a sus mensajes',
  about:
    '{name} guarda los mensajes cifrados y los elimina en cuanto caducan o se han abierto las veces permitidas.',
}
