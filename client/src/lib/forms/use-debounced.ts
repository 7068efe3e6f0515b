import { useEffect, useState } from 'react';

const delayMs = 200;

/** The text once nobody has typed for a moment. */
export const useLater = (text: string) => {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), delayMs);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
};
