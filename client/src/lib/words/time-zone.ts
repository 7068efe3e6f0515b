/** The Australian state that the signed-in person works in: days are shown in its time zone. */
let state: string | null = null;
export const setReaderState = (given: string | null) => {
  state = given;
};
export const readerState = () => state;
