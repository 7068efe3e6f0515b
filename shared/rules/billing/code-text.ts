/** A discount code as it is stored: capital letters and digits. A file of its own, because members' pages load no other rule of codes. */
export const codePattern = /^[A-Z0-9]{3,20}$/;
export const codeUnknown = 'That code isn’t valid. Check the spelling';
