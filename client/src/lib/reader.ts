/** The Australian state that the signed-in person works in: dates are those of its calendar. */
let state: string | null = null;
export const setReaderState = (given: string | null) => {
  state = given;
};
export const readerState = () => state;
