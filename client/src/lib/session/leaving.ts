let ours = false;

/** Whether the app itself leaves the page, and will bring back what was typed: the browser needn't ask. */
export const leaving = () => ours;

export const leaveFor = (address: string) => {
  ours = true;
  window.location.assign(address);
};

export const reloadPage = () => {
  ours = true;
  window.location.reload();
};
