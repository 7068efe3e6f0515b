/** The people behind the accounts, as rooms know them that neither sign anybody in nor keep profiles. */
export {
  administratorIds,
  changeMembership,
  findOpenPerson,
  lockOpenPeople,
  lockOpenPerson,
  namesOf,
  openPerson,
  person,
  setFreeAccess,
  type Person,
} from './queries.ts';
