/** The top of an axis whose top and middle are whole numbers: 2, 4, 6, 10, 20, 40 … */
export const niceTop = (most: number) => {
  const steps = [2, 4, 6, 10];
  for (let scale = 1; ; scale *= 10) {
    const top = steps.find((step) => step * scale >= most);
    if (top) return top * scale;
  }
};
