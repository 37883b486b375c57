/** What a person sees who comes for the first time. */
export const startRecipe = `# How likely is it? Change anything: the chances follow as you type.
bonus = param("bonus", 5, help="to the attack roll", min=0, max=12)
armour = param("armour", 16, help="that the attack has to reach", min=8, max=24)
stance = param("stance", "normal", choices=["normal", "advantage", "disadvantage"])

die = {"normal": d(20), "advantage": max(2d20), "disadvantage": min(2d20)}[stance]
attack = die + bonus
damage = either(attack >= armour, 1d8 + 3, 0)

output("it hits", attack >= armour)
output("damage of one attack", damage)
output("damage of three attacks", times(3, damage))
`;
