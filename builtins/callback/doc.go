// Package callback asks a function of the recipe what it makes of faces, labels and
// states.
//
// A builtin makes a [Func] of an argument and hands it what is to be asked about. How a
// face flows through it:
//
//   - all calls are paid for before the first one, where their number is known;
//   - the engine visits the faces with their weights, and each is written into the
//     arguments: as a small value where the function computes without the interpreter
//     (compiled.go), as a value of Starlark otherwise;
//   - the function is asked, and answers with a reply of either kind; where there are
//     very many faces, several processors ask side by side (cores.go) and the replies
//     are taken in their order;
//   - each reply is taken with the weight of its faces into one tally (results.go), a
//     roll, Outcomes or a chance beside it as a follow-up of its own;
//   - all replies together are one value: a roll, Outcomes or a chance.
//
// A [Machine] asks for a state instead, face by face, and a [Chain] asks what follows a
// state. Which of the processors or the interpreter has answered changes neither the
// answer nor what it costs.
package callback
