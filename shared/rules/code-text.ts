/** A discount code as it is stored: capital letters and digits. With members' pages, which load no other rule of codes. */
export const codePattern = /^[A-Z0-9]{3,20}$/;
export const codeUnknown = 'There is no such discount code. Please check how it is written';
