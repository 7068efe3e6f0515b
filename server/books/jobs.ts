/** The jobs of the books. */
export { mailCopies } from './copies.ts';
export { sendStatements } from './statements.ts';
