/** The Australian state that the signed-in person works in: days are shown in its time zone. */
let state: string | null = null;
export const setReaderState = (readers: string | null) => {
  state = readers;
};
export const readerState = () => state;
